#include <gtest/gtest.h>

#include "common/webhook/payment/currency.hpp"
#include "common/webhook/payment/scaled.hpp"

namespace sluice::webhook {
namespace {

struct Scaled {
    std::string text;
    int shift;
    std::expected<std::int64_t, NotScaled> is;

    friend void PrintTo(const Scaled& one, std::ostream* out) { *out << one.text << " by " << one.shift; }
};

class ScaledTexts : public testing::TestWithParam<Scaled> {};

TEST_P(ScaledTexts, AreExact) {
    EXPECT_EQ(scaled(GetParam().text, GetParam().shift), GetParam().is);
}

constexpr auto no_number = std::unexpected(NotScaled::no_number);
constexpr auto too_fine = std::unexpected(NotScaled::too_fine);
constexpr auto too_large = std::unexpected(NotScaled::too_large);

INSTANTIATE_TEST_SUITE_P(
    All, ScaledTexts,
    testing::Values(Scaled{"88.88", 2, 8888}, Scaled{"88.8", 2, 8880}, Scaled{"88", 2, 8800},
                    Scaled{"88.880", 2, 8888}, Scaled{"0.01", 2, 1}, Scaled{"0", 2, 0}, Scaled{"0.00", 0, 0},
                    Scaled{"500", 0, 500}, Scaled{"5.000", 0, 5}, Scaled{"5.12", 3, 5120},
                    Scaled{"500", -2, 5}, Scaled{"0", -2, 0}, Scaled{"5", -2, too_fine},
                    Scaled{"50", -2, too_fine}, Scaled{"501", -2, too_fine}, Scaled{"88.888", 2, too_fine},
                    Scaled{"0.1", 0, too_fine}, Scaled{"0.001", -2, too_fine},
                    Scaled{"000000008888", 0, 8888}, Scaled{"9223372036854775807", 0, INT64_MAX},
                    Scaled{"92233720368547758.07", 2, INT64_MAX},
                    Scaled{"92233720368547758.08", 2, too_large}, Scaled{"9223372036854775808", 0, too_large},
                    Scaled{"99999999999999999999", 0, too_large}, Scaled{"1", 19, too_large},
                    Scaled{"", 2, no_number}, Scaled{".5", 2, no_number}, Scaled{"5.", 2, no_number},
                    Scaled{"-1", 2, no_number}, Scaled{"+1", 2, no_number}, Scaled{" 1", 2, no_number},
                    Scaled{"1 ", 2, no_number}, Scaled{"1e2", 2, no_number}, Scaled{"1,000.00", 2, no_number},
                    Scaled{"1.2.3", 2, no_number}, Scaled{"0x10", 0, no_number}, Scaled{"１", 0, no_number},
                    Scaled{"NaN", 2, no_number}, Scaled{std::string{"1\0", 2}, 0, no_number}));

TEST(Currency, IsFoundByCodeAndNumber) {
    EXPECT_EQ(currency_of("CNY"), currency_of("156"));
    EXPECT_EQ(currency_of("cny"), currency_of("CNY"));
    EXPECT_EQ(currency_of("008")->code, "ALL");
    EXPECT_EQ(currency_of("CNY")->exponent, 2);
}

TEST(Currency, HasTheDigitsOfIso4217) {
    for (const char* const code : {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF",
                                   "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"})
        EXPECT_EQ(currency_of(code)->exponent, 0) << code;
    for (const char* const code : {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
        EXPECT_EQ(currency_of(code)->exponent, 3) << code;
    for (const char* const code : {"MGA", "MRU", "IDR", "HUF", "TWD", "COP", "USD", "AED", "ZWG"})
        EXPECT_EQ(currency_of(code)->exponent, 2) << code;
}

TEST(Currency, IsNothingElse) {
    for (const char* const text :
         {"", "XAU", "XTS", "XDR", "USDC", "US", "U$D", "999", "1", "15", "0156", "-56"})
        EXPECT_EQ(currency_of(text), nullptr) << text;
}

}  // namespace
}  // namespace sluice::webhook

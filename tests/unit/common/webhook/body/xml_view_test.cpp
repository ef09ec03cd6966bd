#include "common/webhook/body/xml_view.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::webhook::test {
namespace {

std::string as_json(std::string_view xml) {
    std::string text;
    return XmlView::append(text, xml) ? text : "no";
}

TEST(XmlView, HasFieldsAsStrings) {
    EXPECT_EQ(as_json("<?xml version=\"1.0\"?>\n<n><kind>check</kind><ok type=\"boolean\">true</ok></n>\n"),
              R"({"kind":"check","ok":"true"})");
    EXPECT_EQ(as_json("<n><a><b>1</b><c/></a></n>"), R"({"a":{"b":"1","c":""}})");
    EXPECT_EQ(as_json("<n/>"), "{}");
    EXPECT_EQ(as_json("<n>text</n>"), "{}");
}

TEST(XmlView, HasListsAndNull) {
    EXPECT_EQ(as_json("<n><l type=\"array\"><i>1</i><i><j>2</j></i></l></n>"), R"({"l":["1",{"j":"2"}]})");
    EXPECT_EQ(as_json("<n><l type=\"array\"/><z nil=\"true\"></z></n>"), R"({"l":[],"z":null})");
}

TEST(XmlView, TakesTextForWhatItStandsFor) {
    EXPECT_EQ(as_json("<n><a>x &amp; &#x79;<!-- no --> <![CDATA[<z>]]></a></n>"), R"({"a":"x & y<z>"})");
    EXPECT_EQ(as_json("<n><a>\"\\\n</a></n>"), R"({"a":"\"\\\u000a"})");
}

TEST(XmlView, RefusesWhatIsNoPlainDocument) {
    for (const std::string_view xml :
         {"", " ", "text", "<n>", "<n></m>", "<n/><n/>", "<n/>text", "text<n/>", "<!DOCTYPE n><n/>",
          "<!DOCTYPE n [<!ENTITY e \"x\">]><n><a>&e;</a></n>"})
        EXPECT_EQ(as_json(xml), "no") << xml;
    EXPECT_EQ(as_json(std::string_view{"<n/>\0<n/>", 9}), "no");
}

TEST(XmlView, IsBoundedInDepth) {
    const auto nested = [](std::size_t depth) {
        std::string xml;
        for (std::size_t i = 0; i < depth; ++i) xml += "<a>";
        for (std::size_t i = 0; i < depth; ++i) xml += "</a>";
        return xml;
    };
    EXPECT_NE(as_json(nested(32)), "no");
    EXPECT_EQ(as_json(nested(34)), "no");
    EXPECT_EQ(as_json(nested(100'000)), "no");
}

TEST(XmlView, ReadsBase64InLines) {
    XmlView view;
    std::string text;
    std::string base64 = crypto::to_base64("<n><a>1</a></n>");
    EXPECT_TRUE(view.append_base64(text, base64.insert(8, "\n") + "\n"));
    EXPECT_EQ(text, R"({"a":"1"})");
    EXPECT_FALSE(view.append_base64(text, "PG4v"));
    EXPECT_FALSE(view.append_base64(text, "PG4vPg="));
    EXPECT_FALSE(view.append_base64(text, ""));
}

}  // namespace
}  // namespace sluice::webhook::test

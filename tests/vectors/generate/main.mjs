// Writes <folder>/<recipe>.json for each provider, or for those that are named.
import { readdirSync, writeFileSync } from "node:fs";
import { document } from "./frame.mjs";

const [folder, ...wanted] = process.argv.slice(2);
const files = readdirSync(new URL("providers/", import.meta.url)).filter((file) => file.endsWith(".mjs")).sort();
for (const file of files) {
    if (wanted.length && !wanted.includes(file.slice(0, -4).replaceAll("_", "-"))) continue;
    const { default: provider } = await import(`./providers/${file}`);
    const made = await document(provider);
    const text = `${JSON.stringify(made, null, 1)}\n`;
    writeFileSync(`${folder}/${provider.recipe}.json`, text);
    const count = (word) => made.vectors.filter((vector) => vector.sdk === word).length;
    const differ = made.vectors.filter((vector) => vector.why).length;
    console.log(`${provider.recipe}: ${made.vectors.length} vectors, ${text.length} bytes; SDK accepts ${count("accepts")}, ` +
        `refuses ${count("refuses")}, throws ${count("throws")}, not asked ${count("no sdk")}; ${differ} differ`);
}

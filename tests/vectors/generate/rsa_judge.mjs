// What the judges of npm packages share: vectors on standard input, one verdict each on standard output.
import { readFileSync } from "node:fs";

export const bytesOf = ({ body, body_base64: coded }) => (coded === undefined ? Buffer.from(body) : Buffer.from(coded, "base64"));

// As frameworks hand a form over: the last of a repeated name counts.
export const formOf = (vector) => Object.fromEntries(new URLSearchParams(bytesOf(vector).toString("utf8")));

// As Node hands headers over: lower case, repeated ones joined.
export function headersOf({ headers }) {
    const joined = {};
    for (const [name, value] of headers) {
        const key = name.toLowerCase();
        joined[key] = key in joined ? `${joined[key]}, ${value}` : value;
    }
    return joined;
}

// `ask` answers true or false, undefined when it has nothing to ask; `refusal` tells an SDK's own refusal from an accident.
export async function judge(ask, refusal = () => false) {
    const { source, vectors } = JSON.parse(readFileSync(0, "utf8"));
    const verdicts = [];
    for (const vector of vectors) {
        try {
            const said = await ask(vector, vector.source ?? source);
            verdicts.push(said === undefined ? "no sdk" : said ? "accepts" : "refuses");
        } catch (error) {
            verdicts.push(refusal(error) ? "refuses" : "throws");
        }
    }
    console.log(JSON.stringify(verdicts));
}

// Authentic bodies of all kinds. A provider says by `document` how its body looks and by `names` where the facts stand.
// Raw JSON text goes in as a value, so a second member can be slipped in behind it.

const text = (value) => JSON.stringify(value);
// Without a parse: JavaScript has no integers of 64 bits.
const spaced = (document) => document.replace(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (token) => (token.length === 1 ? `\t${token} \r\n` : token));
const nested = (depth) => "[".repeat(depth) + "]".repeat(depth);

// Each: name, body, what the event says differently (null: nothing readable).
function* readable(p) {
    yield ["spaces, tabs and line ends between all tokens", spaced(p.document()), {}];
    yield ["slashes and letters escaped", p.document({ more: String.raw`"note":"https:\/\/example.com\/a?b=1","name":"caf\u00e9 \ud83d\ude42"` }), {}];
    yield ["text that is not ASCII", p.document({ more: '"note":"Zoë, 中文, 🙂"' }), {}];
    yield ["the largest integers of 64 bits", p.document({ more: '"a":9223372036854775807,"b":-9223372036854775808,"c":18446744073709551615' }), {}];
    yield ["an integer beyond 64 bits", p.document({ more: '"note":18446744073709551616' }), {}];
    yield ["a number beyond a double", p.document({ more: '"note":1e400' }), {}];
    yield ["numbers in all notations", p.document({ more: '"a":-0,"b":0.10,"c":1E+2,"d":1.0e-7' }), {}];
    yield ["a line end behind the document", `${p.document()}\n`, {}];
    yield ["a member that nobody reads stands twice", p.document({ more: '"note":1,"note":2' }), {}];
    yield ["63 arrays inside the object", p.document({ more: `"note":${nested(63)}` }), {}];
}

function* unreadable(p) {
    yield ["an empty object", "{}", p.empty ?? null];
    yield ["no body at all", "", null];
    yield ["JSON that is cut off", p.document().slice(0, -1), null];
    yield ["text behind the JSON", `${p.document()}x`, null];
    yield ["a byte order mark in front", `\ufeff${p.document()}`, null];
    if (!p.empty) yield ["a list in place of the object", `[${p.document()}]`, null];
    yield ["a comma too many", p.document({ more: '"note":[1,]' }), null];
    yield ["NaN", p.document({ more: '"note":NaN' }), null];
    yield ["64 arrays inside the object", p.document({ more: `"note":${nested(64)}` }), null];
    yield ["bytes that are no UTF-8", Buffer.from(p.document({ more: '"note":"@"' }).replace("@", "\xff"), "latin1"), null];
}

function* withIdInBody(p) {
    const { id } = p.names;
    yield ["the id stands twice", p.document({ id: `${text(p.base.id)},"${id}":"second"` }), null];
    yield ["the id stands twice, once with an escape", p.document({ id: `${text(p.base.id)},"\\u00${id.charCodeAt(0).toString(16)}${id.slice(1)}":"second"` }), null];
    if (!p.numberedIds) yield ["the id is a number", p.document({ id: "42" }), null];
    yield ["the id is null", p.document({ id: "null" }), null];
    yield ["the id is empty", p.document({ id: '""' }), null];
    yield ["there is no id", p.document({ id: undefined }), null];
    yield ["an id of 255 bytes", p.document({ id: text("i".repeat(255)) }), { id: "i".repeat(255) }];
    yield ["an id of 256 bytes", p.document({ id: text("i".repeat(256)) }), null];
    yield ["an id that is not ASCII", p.document({ id: '"évt_1"' }), null];
    yield ["an id with an escaped line feed", p.document({ id: '"evt_1\\n"' }), null];
    yield ["an id written with escapes", p.document({ id: '"evt\\u005f1\\/2"' }), { id: "evt_1/2" }];
}

function* withTypeInBody(p) {
    yield ["the type stands twice", p.document({ type: `"a.b","${p.names.type}":"c.d"` }), null];
    yield ["there is no type", p.document({ type: undefined }), p.untyped ? { type: p.untyped } : null];
    yield ["the type is a number", p.document({ type: "7" }), null];
}

// Where the time is also the day, it decides: then it must be readable.
function* withTimeInBody(p) {
    yield ["the time is null", p.document({ time: "null" }), { time: "" }];
    yield ["there is no time", p.document({ time: undefined }), { time: "" }];
    yield ["the time cannot be read", p.document({ time: '"yesterday"' }), p.undated ? { time: "" } : null];
    if (p.unixTime) return;
    yield ["a time with an offset", p.document({ time: '"2026-11-21T12:16:39+01:30"' }), { time: "2026-11-21T10:46:39Z" }];
    yield ["a time with nine digits of a second", p.document({ time: '"2026-11-21T10:46:39.123456789Z"' }), { time: "2026-11-21T10:46:39.123456Z" }];
}

function* withObjectInBody(p) {
    yield ["there is no object", p.document({ object: undefined }), { object: p.without_object ?? "" }];
    yield ["the object is null", p.document({ object: "null" }), { object: p.without_object ?? "" }];
    yield ["the object stands twice", p.document({ object: `${p.parts.object},"${p.names.object}":"second"` }), null];
    if (p.around) yield ["what holds the object stands twice", p.document({ more: `"${p.around}":{}` }), null];
}

// Where other cases of the scheme need the room.
const left_out = new Set(["numbers in all notations", "a line end behind the document", "text behind the JSON", "a list in place of the object", "a comma too many",
    "a number beyond a double", "NaN", "64 arrays inside the object", "63 arrays inside the object", "the type is a number", "the time is null",
    "a time with nine digits of a second", "the object is null", "an id that is not ASCII", "the id is null", "what holds the object stands twice"]);

export function* bodies(p) {
    for (const { name, body, events } of p.bodies ?? []) yield { name, body, events };
    const families = [readable(p), unreadable(p), ...(p.names.id ? [withIdInBody(p)] : []), ...(p.names.type ? [withTypeInBody(p)] : []),
        ...(p.names.time ? [withTimeInBody(p)] : []), ...(p.names.object ? [withObjectInBody(p)] : [])];
    for (const family of families) {
        for (const [name, body, changes] of family) if (!p.brief || !left_out.has(name)) yield { name, body, events: changes ? [{ ...p.base, ...changes }] : [] };
    }
}

export const whyOfBody = "the raw bytes are what is signed (section 4 rule 1): an authentic body that cannot be read is kept, not refused";

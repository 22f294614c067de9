// Puts the golden vectors to a decoder: `kafka-conformance vectors --export out`, then `node loader.mjs out`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// Your decoder: returns what `answer` has, and throws where it refuses. Only `format` tells v07 from the rest.
function decode(data, format) {
  throw new Error("your decoder");
}

function passes(vector, data) {
  let records;
  try {
    records = decode(data, vector.format);
  } catch {
    return vector.verdict !== "valid"; // lenient vectors may be refused, invalid ones must be
  }
  return vector.verdict !== "invalid" && isDeepStrictEqual(records, vector.answer);
}

const folder = process.argv[2];
const read = (file) => readFileSync(join(folder, file));
const counts = {};
for (const row of JSON.parse(read("manifest.json")).vectors) {
  if (row.direction !== "decode") continue;
  const data = read(row.bin);
  const count = (counts[row.verdict] ??= { seen: 0, size: 0, passed: 0 });
  count.seen += 1;
  count.size += data.length;
  count.passed += Number(passes(JSON.parse(read(row.json)), data));
}
for (const [verdict, count] of Object.entries(counts).sort())
  console.log(`${verdict}: ${count.seen} vectors, ${count.size} bytes, ${count.passed} passed`);

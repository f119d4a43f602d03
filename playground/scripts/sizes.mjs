// Prints the size of files: as they are, and as a server sends them.
//   node scripts/sizes.mjs FILE...

import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const sizes = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)].map((some) => some.length.toLocaleString("en"));
  console.log(`${path}: ${sizes[0]} bytes, ${sizes[1]} as gzip, ${sizes[2]} as brotli`);
}

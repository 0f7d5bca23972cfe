import type { Upload } from "@/contract/wire/desk/releases";

/**
 * How many bytes of each file of an upload have arrived. `missing` is what this page has not sent yet: it knows its own
 * parts sooner than the shop's last answer, and the answer may tell of parts that another page sent.
 */
export function arrivedOf(upload: Upload, missing?: ReadonlyMap<number, number>) {
  const files = upload.files.map(({ file, name, size, missing: parts }) => {
    const lacking = Math.min(missing?.get(file) ?? parts.length, parts.length);
    // the last part may be smaller
    return { file, name, size, arrived: Math.max(0, size - lacking * upload.part_bytes) };
  });
  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const [bytes, arrived] = [sum(({ size }) => size), sum((file) => file.arrived)];
  return { files, bytes, arrived, isWhole: arrived === bytes };
}

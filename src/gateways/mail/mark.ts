import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { theBrand } from "@/brand/the-brand";

const shared = join(import.meta.dir, "../../../public");

/** `bun run pictures` draws it from the brand's mark; a brand's own file comes first, as on the site. */
const path = [join(theBrand().folder, "public"), shared]
  .map((folder) => join(folder, "email-mark.png"))
  .find((file) => existsSync(file));

const cid = "mark@email";

/**
 * The picture that emails show next to the product's name, attached because mail programs load no others unasked.
 * Encoded once, because nodemailer would encode it for every email.
 */
export const markPicture = path ? { cid, raw: mimePart(readFileSync(path)) } : null;

function mimePart(picture: Buffer): string {
  const lines = picture.toString("base64").match(/.{1,76}/g) ?? [];
  return [
    "Content-Type: image/png; name=mark.png",
    `Content-ID: <${cid}>`,
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: inline; filename=mark.png",
    "",
    ...lines,
  ].join("\r\n");
}

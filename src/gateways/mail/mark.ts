import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { drawMark } from "@/brand/drawn/icons";
import { theLook } from "@/brand/look";
import { theBrand } from "@/brand/the-brand";

/** A brand's own file comes first, as on the site. */
const own = join(theBrand().folder, "public/email-mark.png");
const drawn = existsSync(own) ? readFileSync(own) : drawMark(theLook);

const cid = "mark@email";

/**
 * The picture that emails show next to the product's name, attached because mail programs load no others unasked.
 * Encoded once, because nodemailer would encode it for every email.
 */
export const markPicture = drawn && { cid, raw: mimePart(drawn) };

function mimePart(picture: Uint8Array): string {
  const lines = picture.toBase64().match(/.{1,76}/g) ?? [];
  return [
    "Content-Type: image/png; name=mark.png",
    `Content-ID: <${cid}>`,
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: inline; filename=mark.png",
    "",
    ...lines,
  ].join("\r\n");
}

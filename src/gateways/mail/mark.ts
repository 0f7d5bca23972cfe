import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");

/** `bun run pictures` draws it from the brand's mark; a brand's own file comes first, as on the site. */
const path = ["src/brand/public", "public"]
  .map((folder) => join(root, folder, "email-mark.png"))
  .find((file) => existsSync(file));

/** The picture that emails show beside the product's name, in the email itself: programs load no others unasked. */
export const markPicture = path
  ? ({
      filename: "mark.png",
      content: readFileSync(path),
      contentType: "image/png",
      contentDisposition: "inline",
      cid: "mark@email",
    } as const)
  : null;

import type { Attachment, Json } from "../store/rows";

/** A message's files by name, as `attachment://name` means them. */
export type FilesByName = Map<string, { url: string; attachment: Attachment }>;

/** A component as Discord answers it: with all that was left out, and files' true addresses. */
export function componentJson(component: Json, files: FilesByName): Json {
  const inner = (key: string) => (Array.isArray(component[key]) ? (component[key] as Json[]) : []);
  const all = () => inner("components").map((one) => componentJson(one, files));
  switch (component["type"]) {
    case 1:
      return { ...component, components: all() };
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return { min_values: 1, max_values: 1, ...component };
    case 9:
      return {
        ...component,
        components: all(),
        accessory: componentJson(component["accessory"] as Json, files),
      };
    case 11:
      return { description: null, spoiler: false, ...component, media: media(component["media"], files) };
    case 12:
      return { ...component, items: inner("items").map((item) => galleryItem(item, files)) };
    case 13:
      return { spoiler: false, ...component, ...fileOf(component["file"], files) };
    case 14:
      return { divider: true, spacing: 1, ...component };
    case 17:
      return { accent_color: null, spoiler: false, ...component, components: all() };
    default:
      return component;
  }
}

/** An embed whose pictures may be files of the same message. */
export function embedJson(embed: Json, files: FilesByName): Json {
  const pictures = ["image", "thumbnail"].filter((key) => typeof embed[key] === "object");
  const found = pictures.map((key) => [key, { ...media(embed[key], files), width: 0, height: 0, flags: 0 }]);
  return { ...embed, ...Object.fromEntries(found) };
}

function galleryItem(item: Json, files: FilesByName): Json {
  return { description: null, spoiler: false, ...item, media: media(item["media"], files) };
}

function fileOf(file: unknown, files: FilesByName): Json {
  const found = files.get(nameIn(file));
  return {
    file: media(file, files),
    name: found?.attachment.filename ?? "",
    size: found?.attachment.size ?? 0,
  };
}

function media(given: unknown, files: FilesByName): Json {
  const found = files.get(nameIn(given));
  const url = found?.url ?? urlIn(given);
  const about = found && { attachment_id: found.attachment.id, content_type: found.attachment.content_type };
  return { id: found?.attachment.id ?? "0", url, proxy_url: url, ...about };
}

function nameIn(given: unknown): string {
  return urlIn(given).replace(/^attachment:\/\//, "");
}

function urlIn(given: unknown): string {
  return typeof given === "object" && given !== null && "url" in given ? String(given.url) : "";
}

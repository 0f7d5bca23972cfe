import { toString } from "qrcode";

/** A QR code as a data URL, drawn here so that the secret never goes to another host. */
export async function qrDataUrl(text: string): Promise<string> {
  const svg = await toString(text, { type: "svg", errorCorrectionLevel: "M", margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** Saves a file made in the browser to the visitor's downloads. */
export function saveFile(name: string, type: string, content: string) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the URL a moment later
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

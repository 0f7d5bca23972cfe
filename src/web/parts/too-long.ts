/** What is wrong with a text of more than `most` characters. Fields take more, so that nothing typed or pasted is lost. */
export function tooLong(text: string, most: number): string | undefined {
  const over = text.length - most;
  if (over <= 0) return undefined;
  return over === 1 ? "1 character too many" : `${over.toLocaleString("en-US")} characters too many`;
}

/** Checks for a whole number from `least` to `most`; returns the message to show, or undefined. */
export const wholeNumber = (least: number, most: number) => (text: string) =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
    ? undefined
    : `Enter a whole number from ${least.toLocaleString("en-US")} to ${most.toLocaleString("en-US")}`;

/** The web address of another system. */
export const webAddress = (text: string) => {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: "" };
  return ["http:", "https:"].includes(protocol) ? undefined : "Enter a web address that begins with https://";
};

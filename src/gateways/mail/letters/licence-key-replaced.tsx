import { Button, Copyable, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = (productName: string) =>
  `As a precaution we replaced every ${productName} license key that was not in use yet. The key in our earlier mail no longer works. This one takes its place:`;
const next =
  "Nothing else about your purchase has changed. Register an account with the new key whenever you like.";

export const licenceKeyReplaced: Writing<"licence-key-replaced"> = {
  subject: ({ productName }) => `Your new ${productName} license key`,
  preview: () => "Your earlier key no longer works; the new one is inside.",
  body: ({ productName, key, registerUrl }) => (
    <>
      <Heading>Your new license key</Heading>
      <Paragraph>{intro(productName)}</Paragraph>
      <Copyable>{key}</Copyable>
      <Paragraph>{next}</Paragraph>
      <Button href={registerUrl}>Register</Button>
    </>
  ),
  text: ({ productName, key, registerUrl }) => [
    "Your new license key",
    intro(productName),
    `    ${key}`,
    next,
    `Register: ${registerUrl}`,
  ],
};

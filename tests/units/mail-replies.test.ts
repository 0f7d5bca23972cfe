import { expect, test } from "bun:test";
import { replyOf, verdictOn } from "@/gateways/mail/replies";

const error = (response: string, command: string) =>
  Object.assign(new Error(`failed: ${response}`), {
    response,
    responseCode: Number(response.slice(0, 3)),
    command,
  });

const verdict = (response: string, command: string) => {
  const reply = replyOf(error(response, command));
  return reply && verdictOn(reply);
};

const everywhere = ["RCPT TO", "DATA"] as const;

test("only the mailbox's own codes are about the recipient, wherever they come", () => {
  const own = "5.1.0 5.1.1 5.1.2 5.1.3 5.1.4 5.1.5 5.1.6 5.1.10 5.2.0 5.2.1 5.2.2 5.2.3 5.2.4 5.2.121".split(
    " ",
  );
  for (const enhanced of own)
    for (const command of everywhere)
      for (const code of [550, 551, 552, 553, 554, 521, 556])
        expect([enhanced, command, verdict(`${code} ${enhanced} No such mailbox`, command)]).toEqual([
          enhanced,
          command,
          "recipient",
        ]);
});

test("any other enhanced code is about the set-up, also with a code that alone would be about the recipient", () => {
  const others =
    "5.0.0 5.1.7 5.1.8 5.1.9 5.1.11 5.1.20 5.3.0 5.4.1 5.4.5 5.5.1 5.6.0 5.7.0 5.7.1 5.7.26 5.7.60 4.2.2 5.20.1".split(
      " ",
    );
  for (const enhanced of others)
    for (const command of everywhere)
      for (const code of [550, 551, 553, 554, 530, 503, 571])
        expect([enhanced, code, verdict(`${code} ${enhanced} Refused`, command)]).toEqual([
          enhanced,
          code,
          "set-up",
        ]);
});

test("without an enhanced code, 550, 551 and 553 to the recipient are likely about it, and nothing else is", () => {
  for (const code of [550, 551, 553]) {
    expect(verdict(`${code} Requested action not taken`, "RCPT TO")).toBe("likely-recipient");
    expect(verdict(`${code} Requested action not taken`, "DATA")).toBe("set-up");
    // a version, an address or an amount is no enhanced code
    for (const text of ["5.1 of our rules", "5.1.1.1 is listed", "x 5.1.1", "(5.1.1)"])
      expect([text, verdict(`${code} ${text}`, "RCPT TO")]).toEqual([text, "likely-recipient"]);
  }
  for (const code of [500, 501, 502, 503, 504, 521, 530, 535, 541, 552, 554, 555, 571])
    for (const command of everywhere)
      expect([code, verdict(`${code} No`, command)]).toEqual([code, "set-up"]);
});

test("a refusal before the recipient concerns the setup, and a 4xx or a closing server means later", () => {
  for (const command of ["CONN", "EHLO", "STARTTLS", "AUTH PLAIN", "MAIL FROM", "RSET"])
    expect([command, verdict("550 5.1.1 No such mailbox", command)]).toEqual([command, "set-up"]);
  for (const command of [...everywhere, "MAIL FROM", "CONN"])
    for (const response of ["450 4.2.1 Busy", "451 Later", "452 5.1.1 Full"])
      expect([command, response, verdict(response, command)]).toEqual([command, response, "later"]);
  expect(verdict("421 4.3.0 Closing", "RCPT TO")).toBeNull();
  expect(replyOf(new Error("Connection closed unexpectedly"))).toBeNull();
  expect(replyOf("554")).toBeNull();
});

test.each([
  [
    "554 5.7.1 <buyer@example.com>: Recipient address rejected: Access denied",
    "5.7.1",
    "…: Recipient address rejected: Access denied",
  ],
  [
    "550-5.4.5 Daily user sending limit exceeded. For more\n550-5.4.5 on limits go to\n550 5.4.5  https://support.google.com - gsmtp",
    "5.4.5",
    "Daily user sending limit exceeded. For more on limits go to https://support.google.com - gsmtp",
  ],
  [
    "554 Message rejected: Email address is not verified: Shop <shop@example.com>, o'neil+x@exämple.com.",
    null,
    "Message rejected: Email address is not verified: Shop …, …",
  ],
  ["550", null, ""],
  ["550 5.1.1", "5.1.1", ""],
  [`550 ${"x".repeat(200)}`, null, `${"x".repeat(119)}…`],
])("%j is shown by its first words, without codes and addresses", (response, enhanced, words) => {
  expect(replyOf(error(response, "RCPT TO"))).toMatchObject({ enhanced, words });
});

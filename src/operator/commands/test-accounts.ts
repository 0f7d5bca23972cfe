import { Command } from "commander";
import { makeTestAccounts, type TestAccount } from "@/domain/customers/test-accounts";
import { emailAddress } from "../terminal/arguments";
import { byOperator, print, withReason, withShop, type ChangeOptions } from "../terminal/command-line";
import { table } from "../terminal/table";

/** `shop test-accounts` */
export const testAccountsVerb = (): Command =>
  withReason(new Command("test-accounts"), 'test-accounts you@example.com --reason "for the new version"')
    .description(
      "make an account for each verdict, for the application's authors to test with; keeps those made earlier",
    )
    .argument(
      "<email>",
      "where their mail goes, with a tag for each, such as you+valid@example.com",
      emailAddress,
    )
    .action((email: string, { reason, json }: ChangeOptions) =>
      withShop(async ({ ctx }) => {
        const accounts = await makeTestAccounts(ctx, email, byOperator(reason));
        print(json, accounts, describeTestAccounts(accounts));
      }),
    );

const describeTestAccounts = (accounts: TestAccount[]): string =>
  table(
    ["name", "password", "auth token", "the application is told"],
    accounts.map(({ username, password, token, verdict }) => [
      username,
      password ?? "as printed before",
      token ?? "-",
      verdict,
    ]),
  );

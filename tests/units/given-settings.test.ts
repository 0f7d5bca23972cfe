import { expect, test } from "bun:test";
import { givenSettings } from "@/core/settings/given-settings";
import { settingNames } from "@/core/settings/settings";

test("no value of a setting that can hold a secret is shown", () => {
  const canary = "canary-of-a-secret";
  const given = givenSettings(Object.fromEntries(settingNames.map((name) => [name, canary])));
  const shown = given.filter(({ value }) => value === canary).map(({ name }) => name);
  const secrets = shown.filter((name) => /SECRET|TOKEN|KEY|PASSWORD/.test(name));
  // every browser gets it
  expect(secrets).toEqual(["STRIPE_PUBLISHABLE_KEY"]);
});

test("an address is shown without its login and its token", () => {
  const given = givenSettings({
    SMTP_URL: "smtps://login:password@mail.example.com:465/?token=x",
    DATABASE_URL: "libsql://shop.example.com?authToken=secret",
    DATABASE_AUTH_TOKEN: "token",
    PORT: "3000",
    HOST: "",
  });
  const of = (wanted: string) => given.find(({ name }) => name === wanted);
  expect(of("SMTP_URL")).toMatchObject({ value: "smtps://mail.example.com:465/", secret: false });
  expect(of("DATABASE_URL")?.value).toStartWith("libsql://shop.example.com");
  expect(JSON.stringify(given)).not.toMatch(/password|login|authToken|"token"/);
  expect(of("DATABASE_AUTH_TOKEN")).toEqual({
    name: "DATABASE_AUTH_TOKEN",
    isSet: true,
    secret: true,
    value: null,
  });
  expect(of("PORT")).toMatchObject({ value: "3000" });
  expect(of("HOST")).toMatchObject({ value: null, isSet: false });
});

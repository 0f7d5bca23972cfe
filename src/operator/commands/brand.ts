import { Command } from "commander";
import { offerFault } from "@/brand/offer";
import { readBrand } from "@/brand/read";
import { brandFolder, ownFolder } from "@/brand/the-brand";
import { ConfigError } from "@/core/settings/config";
import { settings } from "@/core/settings/settings";
import { commandSettings, environmentHere } from "@/core/settings/settings-here";
import {
  brandTar,
  importBrand,
  largestBrand,
  leftOf,
  makeBrand,
  mistakesIn,
  renewSchema,
} from "../files/brand-folder";
import { print, withJson } from "../terminal/command-line";
import { bytesInWords } from "../terminal/table";

type Names = {
  product: string;
  shortName?: string;
  prefix: string;
  support: string;
  price: string;
  seller?: string;
  address?: string;
  json?: boolean;
};

/** `shop brand …`, which works without a shop. */
export function brandCommand(): Command {
  const noun = new Command("brand").description("the shop's brand: names, texts, pictures, first offer");
  withJson(
    noun.command("new"),
    'brand new --product "Brushwork" --prefix BRUSH --support help@brushwork.example --price 29.00',
  )
    .description("make the folder of a brand, in DATA_DIR or where BRAND says, with templates to be changed")
    .requiredOption("--product <name>", "the product's name")
    .option("--short-name <name>", "its short name (default: the product's name)")
    .requiredOption(
      "--prefix <letters>",
      "the first group of every license key: 2 to 10 capital letters and digits",
    )
    .requiredOption("--support <address>", "the email address of support")
    .requiredOption("--price <amount>", "the price of the first offer, in the shop's currency")
    .option("--seller <lines>", "who sells, for the legal texts (default: the product's name)")
    .option("--address <url>", "the shop's address, for the legal texts")
    .action(
      ({ product, shortName = product, prefix, support, price, seller = product, address, json }: Names) => {
        const folder = ownFolder();
        makeBrand(folder, {
          product,
          shortName,
          keyPrefix: prefix,
          supportEmail: support,
          price,
          seller,
          address,
        });
        print(
          json,
          { folder },
          `The brand stands in ${folder}. See what is left to do there: shop brand check`,
        );
      },
    );
  withJson(noun.command("check"), "brand check", "brand check ./brand")
    .description(
      "find mistakes in a brand, and what is still a template's; ends with 3 if there is something to do",
    )
    .argument("[folder]", "the brand's folder (default: the one that a start reads)")
    .action(async (folder: string = brandFolder(), { json }: { json?: boolean }) => {
      renewSchema(folder);
      const mistakes = (await mistakesIn(folder)).map(({ message }) => message);
      const { findings, notes } =
        mistakes.length > 0 ? { findings: [], notes: [] } : leftOf(readBrand(folder));
      if (mistakes.length === 0) findings.push(...priceFindings(folder));
      if (mistakes.length + findings.length > 0) process.exitCode = 3;
      const lines = [...mistakes, ...findings, ...notes];
      const sentence = [
        folder,
        ...(lines.length > 0 ? lines : ["It has no mistakes, and nothing is left to do."]),
      ];
      print(json, { folder, mistakes, findings, notes }, sentence.join("\n"));
    });
  withJson(noun.command("export"), "brand export > brand.tar")
    .description("write the brand as a tar to standard output; in JSON, in base64")
    .action(async ({ json }: { json?: boolean }) => {
      const folder = brandFolder();
      const tar = await brandTar(folder);
      if (json) return print(json, { folder, tar: Buffer.from(tar).toString("base64") }, "");
      if (process.stdout.isTTY) throw new ConfigError("Send it to a file: shop brand export > brand.tar");
      await Bun.write(Bun.stdout, tar);
    });
  withJson(noun.command("import"), "brand import < brand.tar")
    .description("replace the brand by one from a tar on standard input, if it has no mistakes")
    .action(async ({ json }: { json?: boolean }) => {
      const folder = ownFolder();
      const files = await importBrand(folder, await standardInput());
      const findings = priceFindings(folder);
      print(
        json,
        { folder, files, findings },
        [`The brand in ${folder} was replaced. The next start of the shop shows it.`, ...findings].join("\n"),
      );
    });
  return noun;
}

/** Why a first start would refuse the price, in the shop's currency. */
function priceFindings(folder: string): string[] {
  const { CURRENCY } = commandSettings(environmentHere()).values;
  const fault = offerFault(readBrand(folder), CURRENCY || settings.CURRENCY.byDefault);
  return fault === null ? [] : [`${fault} A shop's first start would stop at it.`];
}

async function standardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY) throw new ConfigError("Give it the tar: shop brand import < brand.tar");
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of Bun.stdin.stream()) {
    size += part.length;
    if (size > largestBrand) throw new ConfigError(`A brand may have ${bytesInWords(largestBrand)}.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

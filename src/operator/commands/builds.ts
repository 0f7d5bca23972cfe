import { createPrivateKey, createPublicKey } from "node:crypto";
import { basename } from "node:path";
import { Command } from "commander";
import { Refusal } from "@/core/base/refusal";
import { digestsOf } from "@/domain/releases/digests";
import { asPem, shopBuildKey, signDigest } from "@/domain/releases/signatures";
import { withShop, print, withJson } from "../terminal/command-line";
import { buildsIn } from "../files/builds-in-folder";
import { progressBar } from "../terminal/progress";

/** `shop builds …`: none of these change the shop. */
export function buildCommand(): Command {
  const noun = new Command("builds").description("a release's files and their signatures");
  withJson(noun.command("sign <folder>"), "builds sign release/ --key signing.pem")
    .description("write a detached Ed25519 signature (.sig) beside each build in a folder")
    .option("--key <file>", "your own private key as PEM (default: the shop's)")
    .action(async (folder: string, { key, json }: { key?: string; json?: boolean }) => {
      const privateKey = key
        ? await readPrivateKey(key)
        : await withShop(async ({ ctx }) => shopBuildKey(ctx).privateKey);
      const { builds } = await buildsIn(folder);
      const bar = progressBar("Signing", json);
      const total = builds.reduce((sum, { file }) => sum + file.size, 0);
      let before = 0;
      for (const { path, file } of builds) {
        const { sha512 } = await digestsOf(file, (read) => bar.at(before + read, total));
        await Bun.write(`${path}.sig`, signDigest(sha512, privateKey));
        before += file.size;
      }
      bar.end();
      const publicKey = asPem(createPublicKey(privateKey));
      const signed = builds.map(({ path }) => basename(path));
      print(
        json,
        { signed, public_key: publicKey },
        `Signed ${signed.join(", ")}. The public key:\n${publicKey.trim()}`,
      );
    });
  withJson(noun.command("key"), "builds key > shop.pem")
    .description("the public key that the shop's own signatures are verified with")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const publicKey = asPem(shopBuildKey(ctx).publicKey);
        print(json, { public_key: publicKey }, publicKey.trim());
      }),
    );
  return noun;
}

async function readPrivateKey(path: string) {
  try {
    const key = createPrivateKey(await Bun.file(path).text());
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // reported below, like a key of the wrong kind
  }
  throw new Refusal("release_invalid", { sentence: `${path} is not an Ed25519 private key in PEM.` });
}

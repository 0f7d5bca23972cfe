import { typedEmail } from "@/contract/wire/accounts";
import { hwid } from "@/contract/wire/application";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import { discordId } from "@/contract/wire/discord";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import type { Ctx } from "@/core/database/context";
import { parseNetwork } from "@/core/limits/networks";
import type { Device } from "../schema/devices";
import { hashOf } from "./hashes";
import type { WantedBlock } from "./staff-actions";

/** What staff typed as a block of that kind; null if it is not of that kind. */
export function parseBlock(ctx: Ctx, kind: BlockKind, typed: string): WantedBlock | null {
  const read = readers[kind](ctx, typed);
  return read && { kind, ...read };
}

type ParsedBlock = Omit<WantedBlock, "kind">;

/** The lookup form of typed text. */
const readers: Record<BlockKind, (ctx: Ctx, typed: string) => ParsedBlock | null> = {
  device: (ctx, typed) =>
    hwid.safeParse(typed).success ? deviceRead({ computerHash: hashOf(ctx, { hwid: typed }) }) : null,
  email: (_, typed) => (typedEmail.safeParse(typed).success ? { value: typed, label: typed } : null),
  network: (_, typed) => {
    const network = parseNetwork(typed);
    return network === null ? null : { value: network, label: network };
  },
  discord: (_, typed) => {
    const id = plainTyped(typed);
    return discordId.test(id) ? { value: id, label: id } : null;
  },
};

/** What was wrong with it. */
export const mistyped: Record<BlockKind, string> = {
  device: "A hardware ID has 8 to 512 characters.",
  email: "That is not an email address.",
  network: "A network is an address, or CIDR of at least /8 in IPv4 and /16 in IPv6.",
  discord: "A Discord user's id has 17 to 20 digits.",
};

/** A computer by its keyed hash; `whose` adds its owner to what staff read. */
export const deviceRead = ({ computerHash }: Pick<Device, "computerHash">, whose = ""): ParsedBlock => ({
  value: computerHash,
  label: `device ${computerHash.slice(0, 8)}${whose}`,
});

import { eq } from "drizzle-orm";
import { usernameRule } from "@/contract/vocabulary/account-rules";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";

/** Makes user names that neither the file nor the shop has. */
export function nameMaker(ctx: Ctx, customers: { username: string | null }[]) {
  const taken = new Set(customers.flatMap(({ username }) => username?.toLowerCase() ?? []));
  const tries = new Map<string, number>();
  return {
    async nameFor(email: string): Promise<string> {
      const stem = stemOf(email);
      for (;;) {
        const nth = (tries.get(stem.toLowerCase()) ?? 0) + 1;
        tries.set(stem.toLowerCase(), nth);
        const name = nth === 1 ? stem : `${stem}-${nth}`;
        if (taken.has(name.toLowerCase())) continue;
        if (await hasName(ctx, name)) continue;
        taken.add(name.toLowerCase());
        return name;
      }
    },
  };
}

export async function hasName({ store: { db } }: Ctx, name: string): Promise<boolean> {
  const [found] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.usernameKey, name.toLowerCase()));
  return found !== undefined;
}

/** Short enough for a number after it. */
const longestStem = 25;

/** A user name from an address, without what follows a plus and without letters that no user name has. */
function stemOf(email: string): string {
  const [local = ""] = email.slice(0, email.lastIndexOf("@")).split("+");
  const plain = local
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, longestStem);
  return usernameRule.test(plain) ? plain : ["customer", plain].filter((part) => part !== "").join("-");
}

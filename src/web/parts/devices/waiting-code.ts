import { stored } from "../../page/stored";

const kept = stored("waiting-code");

/** The code of a computer that waits while its person gets a license; this tab leads back to it while it lasts. */
export const waitingCode = {
  remember: (code: string, until: string) => kept.remember(`${code} ${until}`),
  recall(now: Date): { code: string; until: Date } | null {
    const [code = "", until = ""] = (kept.recall() ?? "").split(" ");
    const end = new Date(until);
    return end > now ? { code, until: end } : null;
  },
  forget: kept.forget,
};

export const pageOfCode = (code: string) => `/device?${new URLSearchParams({ user_code: code })}`;

import { stored } from "../../../page/stored";

const kept = stored("desk:jobs", "tab");
const most = 5;

/** The jobs that this tab started or looked at, the newest first: the shop lists only what is stuck. */
export const recentJobs = {
  all: (): string[] => (kept.recall() ?? "").split(" ").filter(Boolean),
  add(id: string) {
    const others = recentJobs.all().filter((one) => one !== id);
    kept.remember([id, ...others].slice(0, most).join(" "));
  },
};

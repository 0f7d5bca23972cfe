import { useState } from "react";
import { token } from "@/brand/token";
import type { Me } from "@/contract/wire/accounts";
import { justRegistered } from "../../../api/session";
import { isWithout } from "../../../page/without";
import { noteStep, useNotedSteps } from "../../../parts/first-steps";

export type Setup = {
  /** Whether a newly registered customer is greeted. */
  greets: boolean;
  /** Whether the first steps are shown. */
  leads: boolean;
  steps: { downloaded: boolean; copied: boolean; connected: boolean };
  /** Ends both for good. */
  close: () => void;
};

/** The greeting and the first steps of an account, until they are done or closed. */
export function useSetup(user: Me): Setup {
  const noted = useNotedSteps(user.id);
  const [greets, greet] = useState(() => justRegistered.recall() !== null);
  // an attached computer has the application, and the token was typed into it
  const steps = {
    downloaded: user.hwid_set || noted.includes("download"),
    copied: !token || user.hwid_set || noted.includes("token"),
    connected: user.discord_authed || isWithout("discord"),
  };
  // the last tick is seen before they go
  const [neededAtFirst] = useState(!Object.values(steps).every(Boolean));
  return {
    greets,
    leads: user.active_license && neededAtFirst && !noted.includes("closed"),
    steps,
    close: () => {
      justRegistered.forget();
      greet(false);
      noteStep(user.id, "closed");
    },
  };
}

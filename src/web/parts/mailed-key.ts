import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { mailedKeyQuery } from "../api/payments";
import { useHydrated } from "../hooks/use-hydrated";
import { textIn } from "./destination";

/** Where an account redeems the key of a mailed link. */
export const redeemPageOf = (token: string) => `/dashboard/license#${token}`;

/** The token of a mailed key in the URL's fragment or, once moved, in the history entry. */
export const keyTokenIn = ({ hash, state }: Pick<Location, "hash" | "state">): string =>
  isToken(hash) ? hash.slice(1) : textIn(state, "keyToken");

/** Parts of a page have names without a dot. */
const isToken = (hash: string) => hash.includes(".");

/**
 * What the link in a receipt or gift mail fills in. Its token moves into the history entry at once, which only this tab
 * can read, and leaves the page at `part`.
 */
export function useMailedKey(part: "" | "#redeem") {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  // the prerendered page lacks the token, which servers never see
  const token = useHydrated() ? keyTokenIn({ hash, state }) : "";
  useEffect(() => {
    if (isToken(hash))
      void navigate({ pathname, hash: part }, { replace: true, state: { keyToken: hash.slice(1) } });
  }, [pathname, hash, part, navigate]);
  const { data, error } = useQuery(mailedKeyQuery(token));
  return { token, email: data?.email, key: data?.key, problem: error };
}

/** Why a mailed link fills in nothing, and what to do. */
export const mailedKeyProblemText = (problem: Error): string =>
  `${problem.message.replace(/\.$/, "")}. Type the key from the email instead.`;

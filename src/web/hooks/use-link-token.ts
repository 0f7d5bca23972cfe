import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/** Shown instead of a button where a link came without its token. */
export const incompleteLink = new Error("This link is incomplete, please open it from the email again");

/** The token of a mailed link, moved from the URL into the history entry at once, where only a reload can read it. */
export function useLinkToken(): string {
  const { pathname, hash, state } = useLocation();
  const navigate = useNavigate();
  const token = hash.slice(1) || remembered(state);
  useEffect(() => {
    if (hash !== "") void navigate(pathname, { replace: true, state: { token } });
  }, [hash, pathname, token, navigate]);
  return token;
}

function remembered(state: unknown): string {
  const token: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "token") : "";
  return typeof token === "string" ? token : "";
}

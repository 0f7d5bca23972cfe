import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The code of a link to the desk, such as `/desk#code=123456`, as the demo's authenticator app makes them; the address
 * forgets it. The form shows it, and sends nothing before a press.
 */
export function useCodeOfLink(): string | undefined {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [code] = useState(() => /^#code=(\d{6})$/.exec(hash)?.[1]);
  const isShown = hash.startsWith("#code=");
  useEffect(() => {
    if (isShown) void navigate({ pathname, search }, { replace: true });
  }, [isShown, pathname, search, navigate]);
  return code;
}

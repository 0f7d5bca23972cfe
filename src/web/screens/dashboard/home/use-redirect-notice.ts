import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { downloadLockedNotice } from "@/contract/builds";
import { texts } from "@/contract/texts";
import { notify } from "../../../parts/notices";

/** Shows why the visitor was redirected here; not repeated on reload. */
export function useRedirectNotice() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const notice = query.get("notice");
  useEffect(() => {
    if (notice === null) return;
    if (notice === downloadLockedNotice) notify("info", texts.downloadLocked);
    void navigate(pathname, { replace: true });
  }, [notice, pathname, navigate]);
}

import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { texts } from "@/contract/texts";
import { useLogout } from "../../api/sign-in";
import { notify } from "../../parts/notices";
import { Spinner } from "../../parts/spinner";

/** Ends the session and goes to the landing page, even if the server can't be reached. */
export function Logout() {
  const { mutateAsync: logout } = useLogout();
  const navigate = useNavigate();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void logout()
      .catch(() => notify("error", texts.logoutFailed))
      .finally(() => void navigate("/", { replace: true }));
  }, [logout, navigate]);
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <output className="flex flex-col items-center gap-4 text-center">
        <Spinner className="size-8 text-link" />
        <h1 className="text-xl font-semibold">Logging you out…</h1>
      </output>
    </main>
  );
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { useDeleteAccount } from "../../../api/account";
import { subscriptionsQuery } from "../../../api/subscriptions";
import { useCodeBoxes } from "../../../parts/account/refusals";
import { toastFormFailure } from "../../../parts/account/toasts";
import { SecurityCode } from "../../../parts/account/security-code";
import { ForPasswordManagers } from "../../../parts/field";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { notify } from "../../../page/notices";
import { isWithout } from "../../../page/without";
import { PatientButton } from "../../../parts/patient-button";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";
import { TitledDialog } from "../../../parts/titled-dialog";
import { PasswordField } from "../../../parts/account/password-field";

/** Deletes the account for good. */
export function DeleteAccount({ user }: { user: Me }) {
  const [open, setOpen] = useState(false);
  const { data: subscriptions = [] } = useInfiniteQuery({ ...subscriptionsQuery, enabled: open });
  const subscribed = subscriptions.some(({ status }) => status !== "ended");
  return (
    <TitledCard
      title="Delete account"
      description="License keys you've redeemed can't be used on another account afterward."
      className="border-destructive/35 sm:flex-row sm:items-center sm:justify-between"
    >
      <TitledDialog
        open={open}
        onOpenChange={setOpen}
        title={`Delete the account ${user.username}?`}
        description={`You'll lose your license${isWithout("discord") ? " and your computer" : ", your computer and your Discord connection"}. This can't be undone.${
          subscribed ? " Your subscription ends right away, and the time you've paid for isn't refunded." : ""
        }`}
        trigger={
          <Button
            variant="outline"
            className="border-destructive/50 text-destructive-text hover:border-destructive"
          >
            Delete account
          </Button>
        }
      >
        <DeleteForm user={user} />
      </TitledDialog>
    </TitledCard>
  );
}

const names = ["password", "security_code"] as const;

function DeleteForm({ user }: { user: Me }) {
  const remove = useDeleteAccount();
  const navigate = useNavigate();
  const { boxes, refused } = useCodeBoxes();
  const fields = user.mfa ? names : names.slice(0, 1);
  const send = ({ password, security_code }: Record<(typeof names)[number], string>) => {
    if (remove.isPending) return;
    remove.mutate(user.mfa ? { password, security_code } : { password }, {
      onSuccess: () => {
        notify("success", "Your account has been deleted");
        // this also clears the browser's cached data
        void navigate("/logout", { replace: true });
      },
      onError: (problem) => {
        refused(problem);
        toastFormFailure(problem, fields);
      },
    });
  };
  const { form, wrong } = useFilledForm(fields, send, {
    problem: remove.error,
  });
  return (
    <form className="flex flex-col gap-5" aria-label="Delete account" {...form}>
      <ForPasswordManagers username={user.username} />
      <PasswordField wrong={wrong("password")} />
      {user.mfa && <SecurityCode recovery boxes={boxes} wrong={wrong("security_code")} />}
      <PatientButton type="submit" variant="destructive" call={remove} doing="Deleting…">
        Delete my account
      </PatientButton>
    </form>
  );
}

import { useState } from "react";
import type { Me } from "@/contract/accounts";
import { Button } from "../../ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../ui/dialog";
import { PasswordForm } from "./password-form";

/** The password form behind a button. */
export function PasswordDialog({ user }: { user: Me }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">Change Password</Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Change your password</DialogTitle>
          <DialogDescription>This signs out every other browser.</DialogDescription>
        </DialogHeader>
        <PasswordForm user={user} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

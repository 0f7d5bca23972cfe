import { MessagesSquare, X } from "lucide-react";
import { useState } from "react";
import { brand } from "@/brand/brand";
import { justRegistered } from "../../../api/session";
import { Button } from "../../../ui/button";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";

/** Greets a newly registered user until closed. */
export function WelcomeCard({ username }: { username: string }) {
  const [shown, show] = useState(() => justRegistered.recall() !== null);
  if (!shown) return null;
  const close = () => {
    justRegistered.forget();
    show(false);
  };
  return (
    <Card className="relative border-ring/30 bg-[radial-gradient(32rem_14rem_at_100%_0%,--alpha(var(--primary)/25%),transparent)] bg-card">
      <CardHeader className="pr-10">
        <CardTitle className="text-xl">Welcome, {username}!</CardTitle>
        <CardDescription className="max-w-prose">
          Your license is active. Join the community to get help, hear about updates first and meet everybody
          else who uses {brand.shortName}.
        </CardDescription>
      </CardHeader>
      <div>
        <Button asChild>
          <a href={brand.links.community} target="_blank" rel="noreferrer">
            <MessagesSquare aria-hidden="true" />
            Join the Discord
          </a>
        </Button>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Close welcome"
        className="absolute top-3 right-3 text-muted-foreground"
        onClick={close}
      >
        <X />
      </Button>
    </Card>
  );
}

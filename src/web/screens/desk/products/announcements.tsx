import { Megaphone, OctagonX } from "lucide-react";
import { Link, Route, Routes } from "react-router";
import { announce, listAnnouncements, stopAnnouncement } from "@/contract/operations/products";
import type { AnnouncementRow } from "@/contract/wire/desk/announcements";
import { Button } from "../../../ui/button";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { useMe } from "../parts/me";
import { deskOperation, mayDo, type Operation } from "../operation/operation";
import { stateColumn } from "../parts/status";
import { OfferName } from "../parts/offers";
import { whenColumn } from "../table/columns";
import { UnknownDeskPage } from "../parts/unknown-desk-page";
import { NewAnnouncement } from "./new-announcement";
import { announcementWords } from "../parts/words";

const announcements: CollectionDefinition<AnnouncementRow> = {
  title: "Announcements",
  lead: "Emails to all customers who haven't unsubscribed.",
  list: listAnnouncements,
  icon: Megaphone,
  columns: [
    { id: "subject", name: "Subject", cell: ({ subject }) => subject, leads: true, width: "minmax(0,1.6fr)" },
    { id: "to", name: "To", cell: audience },
    stateColumn("state", announcementWords, "8rem"),
    { id: "sent", name: "Sent", cell: progress, width: "minmax(0,1.3fr)" },
    whenColumn("created_at", "Created", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
  ],
  nameOf: ({ subject }) => subject,
  empty: "Nothing has been announced yet.",
  moves: ({ state }) => state === "under_way",
};

/** The announcements with how far each is; writing one is a page of its own. */
export function Announcements() {
  return (
    <Routes>
      <Route index element={<List />} />
      <Route path="new" element={<NewAnnouncement />} />
      <Route path="*" element={<UnknownDeskPage />} />
    </Routes>
  );
}

function List() {
  const mayWrite = mayDo(useMe(), announce);
  return (
    <Collection
      of={announcements}
      operationsOf={(one) => (one.state === "under_way" ? [stop(one)] : [])}
      begin={
        mayWrite && (
          <Button asChild size="sm" className="md:min-h-9">
            <Link to="/desk/products/announcements/new">
              <Megaphone aria-hidden="true" />
              Write an announcement
            </Link>
          </Button>
        )
      }
    />
  );
}

function audience({ licensed_only: licensed, offer }: AnnouncementRow) {
  if (offer !== null)
    return (
      <span>
        <span>{licensed ? "Active licenses of" : "Customers of"}</span> <OfferName id={offer} />
      </span>
    );
  return licensed ? "Active licenses" : "Everyone";
}

function progress({ looked, customers, sent, deferred, dropped, subject }: AnnouncementRow) {
  const share = customers === 0 ? 100 : Math.min(100, Math.round((looked / customers) * 100));
  return (
    <span className="flex flex-col gap-1">
      <progress
        className="h-1.5 w-full overflow-hidden rounded-full accent-primary"
        max={100}
        value={share}
        aria-label={`Progress of ${subject}`}
      />
      <span className="text-xs text-muted-foreground">
        {`${sent.toLocaleString("en-US")} sent${
          deferred > 0 ? `, ${deferred.toLocaleString("en-US")} deferred` : ""
        }${dropped > 0 ? `, ${dropped.toLocaleString("en-US")} dropped` : ""}`}
      </span>
    </span>
  );
}

const stop = ({ id, subject, sent }: AnnouncementRow): Operation =>
  deskOperation(stopAnnouncement, {
    id,
    name: "Stop",
    icon: OctagonX,
    grave: true,
    consequence: () => `Stops sending “${subject}”. ${sent.toLocaleString("en-US")} were already sent.`,
    done: () => "Announcement stopped",
  });

import { Upload, UsersRound } from "lucide-react";
import { importFile } from "@/contract/operations/jobs";
import { type ListDefinition, ListPage } from "../table/list-page";
import { Badge } from "../../../ui/badge";
import { whenColumn, levelColumn } from "../table/columns";
import { roles } from "../parts/words";

const customers: ListDefinition<"customers"> = {
  list: "customers",
  title: "Customers",
  words: ["customer", "customers"],
  icon: UsersRound,
  columns: [
    { id: "username", name: "Name", cell: ({ username }) => username, leads: true },
    { id: "email", name: "Email", cell: ({ email }) => email, width: "minmax(0,1.6fr)" },
    {
      id: "active_license",
      name: "License",
      cell: ({ active_license }) => active_license && <Badge tone="good">Active</Badge>,
      width: "6rem",
      phone: "state",
    },
    levelColumn,
    {
      id: "two_factor",
      name: "Two-factor",
      cell: ({ two_factor }) => (two_factor ? "On" : "Off"),
      width: "6rem",
      phone: "none",
    },
    whenColumn("created_at", "Registered", ({ created_at }) => created_at, { phone: "time" }),
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [{ name: "staff", label: "Staff", kind: "choice", choices: roles }],
  to: ({ id }) => `/desk/customers/${id}`,
  nameOf: ({ username }) => username,
  empty: "Nobody has registered yet.",
  sources: [{ name: "Import", icon: Upload, to: "/desk/settings/import?what=customers", does: importFile }],
};

export const Customers = () => <ListPage of={customers} />;

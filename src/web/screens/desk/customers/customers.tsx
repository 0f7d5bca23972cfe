import { UsersRound } from "lucide-react";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
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
      cell: ({ active_license }) => (active_license ? "Active" : "None"),
      width: "6rem",
    },
    {
      id: "two_factor",
      name: "Two-factor",
      cell: ({ two_factor }) => (two_factor ? "On" : "Off"),
      width: "6rem",
    },
    {
      id: "created_at",
      name: "Registered",
      cell: ({ created_at }) => <When at={created_at} />,
      width: "9rem",
    },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [{ name: "staff", label: "Staff", kind: "choice", choices: roles }],
  to: ({ id }) => `/desk/customers/${id}`,
  nameOf: ({ username }) => username,
  empty: "Nobody has registered yet.",
  finds: "customers",
};

export const Customers = () => <ListPage of={customers} />;

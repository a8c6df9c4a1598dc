import { describeSearch } from "./search.ts";

describeSearch(1);

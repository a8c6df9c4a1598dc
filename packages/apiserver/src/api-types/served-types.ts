import { ApiTypes } from "./api-types.ts";
import data from "./api-types.json" with { type: "json" };

/** The types of the served built-in kinds. */
export const API_TYPES: ApiTypes = new ApiTypes(data);

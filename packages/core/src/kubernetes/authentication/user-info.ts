import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { s, optional, optionalString, optionalStrings } from "../field-builders.ts";

const userInfoFields = {
  username: optionalString("The name."),
  uid: optionalString("Identity, across users of the same name."),
  groups: optionalStrings("The groups."),
  extra: optional(s.map(s.array(s.string()).atomic()), "Extra attributes."),
};

/** An authenticated user. */
export interface UserInfo extends ObjectIn<typeof userInfoFields> {}

export const userInfo: ObjectSchema<UserInfo, UserInfo> = s.object(userInfoFields);

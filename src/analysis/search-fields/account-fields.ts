/** Fields of users, as this service shows them. See `readFieldTable`. */
export const USER_FIELDS = `
agrees_with_tos date - When the terms of service were agreed to.
api_daily_quota integer i Requests a day; 0 is unlimited.
api_quota integer i Requests at the same time.
apps object - Clients that may call in the name of the user.
can_impersonate boolean - Whether the user may call in the name of others.
classification keyword dis Highest classification that the user may see.
dn keyword di Distinguished name of the certificate of the user.
email keyword dis E-mail address.
groups keyword dils Groups of the user.
identity_id keyword di Identifier at the identity provider.
is_active boolean is Whether the user may sign in.
name keyword dis Full name.
organization text is Organisation of the user.
otp_sk keyword - Never shown.
password keyword - Never shown.
roles keyword ils Roles that replace those of the kinds.
security_tokens object - Names of security tokens.
submission_async_quota integer i Submissions without waiting at the same time.
submission_daily_quota integer i Submissions a day; 0 is unlimited.
submission_quota integer i Submissions at the same time.
type keyword ils Kinds of user.
uname keyword dis Name to sign in with.
`;

/** Fields of API keys, as this service shows them. See `readFieldTable`. */
export const APIKEY_FIELDS = `
acl keyword ils Privileges of the key.
creation_date date is When the key was made.
expiry_ts date is When the key stops working.
key_name keyword dis Name of the key.
last_used date is Day on which the key was last used.
password keyword is Never shown.
roles keyword ils Roles of the key.
uname keyword dis Owner of the key.
`;

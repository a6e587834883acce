/** Sections of the interface by the resource in their path, as clients show them in their help. */
export const API_SECTIONS: Readonly<Record<string, string>> = {
  apikey: 'Keys that programs sign in with',
  auth: 'Sign in and out, and how users prove who they are',
  documentation: 'What the interface consists of',
  help: 'What a client has to know of the installation',
  user: 'Accounts and what belongs to them',
};

/** The statuses of refusals, and what each means. */
export const REFUSALS = {
  400: 'The request is not valid. The message names the argument and what is allowed.',
  401: 'The credential is missing, wrong or expired.',
  403: 'The caller lacks the privilege, the user type or the classification.',
  404: 'There is no such record, or the caller may not see it.',
  409: 'The change conflicts with the stored state, for example with a newer version.',
  412: 'The user name cannot be used, or arguments of an upload are missing.',
  413: 'The body, or a document in it, is too large.',
  414: 'A segment of the path is too long.',
  415: 'The media type of the body is not accepted.',
  422: 'None of the sources knows this kind of hash.',
  425: 'The submission is not completed. Repeat the request later.',
  429: 'Too many requests. `Retry-After` says when to repeat the request.',
  469: 'The password does not meet the requirements.',
  500: 'A fault of the server. The message has an identifier that the log has, too.',
  501: 'The engine of this installation does not support it.',
  502: 'The server that the request was passed on to failed, or its answer is not usable.',
  503: 'An engine is unavailable. `Retry-After` says when to repeat the request.',
  504: 'The server that the request was passed on to did not answer in time.',
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** An access token of a provider that is good at a service. */
export interface VerifiedToken {
  /** Name of the provider. */
  readonly provider: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly token: string;
  /** Milliseconds since 1970, as the token says. */
  readonly expires: number;
}

/** Features of an adapter. Unsupported features are rejected with Unsupported, never approximated. */
export interface Capabilities {
  /** EQL queries. */
  readonly eql: boolean;
  /** `visible: 'soon'` is as good as `now`. */
  readonly instantVisibility: boolean;
  /** The server moves indices through lifecycle phases by itself; otherwise our own job does. */
  readonly serverSideLifecycle: boolean;
}

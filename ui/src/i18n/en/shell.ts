/** Messages of the frame around all pages. */
export const shell = {
  welcome: 'Welcome, {{name}}',
  skipToContent: 'Skip to the content',
  mainNavigation: 'Main navigation',
  rail: {
    home: 'Home',
    alerts: 'Alerts',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be mistyped, or the page was deleted.',
    home: 'Go to the home page',
  },
  failed: {
    title: 'This page could not be shown',
    text: 'Something in it went wrong. The rest of the program is not affected.',
  },
  connection: {
    offline: 'The server does not answer. What you typed is kept; the program tries again by itself.',
    waiting: 'The server is busy. Next try in {{seconds}} s.',
    live: 'Live',
    notLive: 'Not live',
  },
  palette: {
    open: 'Commands',
    title: 'Commands and pages',
    placeholder: 'Type a command or the name of a page',
    empty: 'Nothing matches.',
  },
  account: { menu: 'Account of {{name}}', settings: 'Settings', signOut: 'Sign out' },
  keys: { title: 'Keys of this page', none: 'not set' },
  expired: { title: 'Your session ended', text: 'Sign in again to continue. Nothing that you typed is lost.' },
  signIn: {
    title: 'Sign in',
    user: 'User name',
    password: 'Password',
    submit: 'Sign in',
    otp: 'One-time password',
    otpHint: 'Six digits of your authenticator app, or a recovery code.',
    securityKey: 'Use the security key',
    provider: 'Sign in with {{name}}',
    or: 'or',
    failed: 'The sign-in did not succeed.',
    returning: 'Signing in …',
    back: 'Back to the sign-in',
  },
} as const;

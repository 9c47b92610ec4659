export const signIn = {
  title: 'Sign in',
  product: 'Lockscope',
  tagline: 'Every lock in your Redis, live.',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'This e-mail address and password do not belong together.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  unreachable: 'The console does not answer. Is it still running?',
  failed: 'Signing in failed ({status}).',
  badLink:
    'This sign-in link was used before or is too old. Ask for a new one or use your password.',
  firstTime:
    'First time here? The console printed a one-time sign-in link when it was started for the first time.',
};

export const auth = {
  'auth.identifier': 'Phone or email',
  'auth.password': 'Password',
  'auth.sign-in': 'Login',
  'auth.sign-out': 'Logout',
  'auth.title': 'Login',
  'auth.identifier-required': 'Phone or email is required',
  'auth.password-required': 'Password is required',
  'auth.wrong': 'The phone or email and the password do not match.',
  'auth.too-many': 'Too many tries. Please wait a quarter of an hour.',
}

export const auth = {
  'auth.identifier': 'ফোন বা ইমেইল',
  'auth.password': 'পাসওয়ার্ড',
  'auth.sign-in': 'লগ ইন',
  'auth.sign-out': 'লগ আউট',
  'auth.title': 'লগ ইন',
  'auth.identifier-required': 'ফোন বা ইমেইল দিন',
  'auth.password-required': 'পাসওয়ার্ড দিন',
  'auth.wrong': 'ফোন বা ইমেইল আর পাসওয়ার্ড মিলছে না।',
  'auth.too-many': 'অনেকবার চেষ্টা হয়েছে। পনেরো মিনিট পরে আবার চেষ্টা করুন।',
}

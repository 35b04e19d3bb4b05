// দোকানের ব্যাকআপ।
export const backups = {
  'admin.nav.backups': 'ব্যাকআপ',
  'backups.hint': ({ hour }: { hour: string }) =>
    `প্রতিদিন ${hour}র পর ব্যাকআপ হয়। এতে সব তথ্য ও ছবি থাকে; ডাউনলোড করা ফাইল গোপন রাখুন। অন্য কম্পিউটারেও কপি রাখুন।`,
  'backups.now': 'এখনই ব্যাকআপ নিন',
  'backups.started': 'ব্যাকআপ শুরু হয়েছে',
  'backups.running': 'একটি ব্যাকআপ চলছে।',
  'backups.late': 'সর্বশেষ ব্যাকআপ ২৬ ঘণ্টার বেশি পুরোনো।',
  'backups.unchecked':
    'সর্বশেষ ব্যাকআপের পরীক্ষামূলক রিস্টোর হয়নি; শুধু চেকসাম মেলানো হয়েছে। সার্ভারে ডেটাবেস ব্যবহারকারীকে CREATEDB অনুমতি দিন, ডেটা ফোল্ডারে জায়গা খালি করুন, অথবা লগে ছবি কম থাকার কথা লেখা হলে DATA_DIR বা UPLOADS ঠিক করুন।',
  'backups.empty': 'এখনো কোনো ব্যাকআপ নেই।',
  'backups.when': 'শুরু',
  'backups.state': 'অবস্থা',
  'backups.state-running': 'চলছে',
  'backups.state-done': 'সম্পূর্ণ',
  'backups.state-verified': 'সম্পূর্ণ, রিস্টোর পরীক্ষিত',
  'backups.state-failed': 'ব্যর্থ',
  'backups.state-deleted': 'মুছে ফেলা হয়েছে',
  'backups.by': 'কে শুরু করেছে',
  'backups.by-schedule': 'স্বয়ংক্রিয়',
  'backups.by-admin': 'কর্মী',
  'backups.by-command': 'কমান্ড লাইন',
  'backups.size': 'আকার',
  'backups.megabytes': ({ megabytes }: { megabytes: string }) => `${megabytes} এমবি`,
  'backups.seconds': ({ seconds }: { seconds: string }) => `${seconds} সেকেন্ডে`,
  'backups.place': 'ফাইল',
  'backups.download': 'ডাউনলোড',
}

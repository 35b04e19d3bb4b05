export const bulkOrders = {
  'admin-orders.all-select': 'মিলে যাওয়া সব অর্ডার বাছুন',
  'admin-orders.all-selected': (p: { count: string }) => `মিলে যাওয়া সব ${p.count}টি অর্ডার বাছা হয়েছে`,
  'admin-orders.all-only-page': 'শুধু এই পাতা',
  'admin-orders.all-text': 'অর্ডারগুলো পেছনে একটি একটি করে বদলাবে। পরে আসা বা এর মধ্যে বদলে যাওয়া অর্ডার যেমন আছে তেমনই থাকবে।',
  'admin-orders.all-check': 'যে অর্ডারে টাকা, পশুর চূড়ান্ত ওজনের হিসাব বা দ্বিতীয় ডেলিভারি বাকি, সেগুলো বদলাবে না; তালিকায় দেখানো হবে।',
  'admin-orders.all-none': 'কোনো অর্ডার মেলেনি।',
  'admin-orders.all-too-many': (p: { count: string }) => `এমন ফিল্টার দিন যাতে সর্বোচ্চ ${p.count}টি অর্ডার থাকে।`,
  'admin-orders.all-too-many-runs': (p: { count: string }) => `${p.count}টি বাল্ক পরিবর্তন চলছে। একটি শেষ হওয়া পর্যন্ত অপেক্ষা করুন।`,
  'admin-orders.all-changed': (p: { count: string }) => `এখন ${p.count}টি অর্ডার মেলে। আবার বাছুন।`,
  'admin-orders.all-ended': 'এই বাল্ক পরিবর্তন আগেই শেষ হয়েছে।',
  'admin-orders.all-needs-check': 'টাকা, চূড়ান্ত ওজনের হিসাব বা দ্বিতীয় ডেলিভারি বাকি: হাতে বদলান',
  'admin-orders.runs': 'বাল্ক পরিবর্তন',
  'admin-orders.run': (p: { total: string; status: string; name: string }) => `${p.total}টি অর্ডার “${p.status}”, করেছেন ${p.name}`,
  'admin-orders.run-progress': (p: { done: string; failed: string; left: string }) =>
    `${p.done}টি বদলেছে, ${p.failed}টি বদলায়নি, ${p.left}টি বাকি`,
  'admin-orders.run-done': (p: { done: string; failed: string }) => `শেষ: ${p.done}টি বদলেছে, ${p.failed}টি বদলায়নি`,
  'admin-orders.run-cancelled': (p: { done: string; failed: string; left: string }) =>
    `থামানো হয়েছে: ${p.done}টি বদলেছে, ${p.failed}টি বদলায়নি, ${p.left}টি আগের মতোই আছে`,
  'admin-orders.run-cancel': 'থামান',
  'admin-orders.run-failures': 'যেগুলো বদলায়নি, ও কেন',
  'admin-orders.run-more': 'আরও দেখুন',
  'admin-orders.run-reload': 'তালিকা আবার লোড করুন',
}

// next
